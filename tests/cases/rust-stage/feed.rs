// SPDX-License-Identifier: MIT
//! feed PAGES: makes so many pages, has a thread pack them, and writes them to a file.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::sync::mpsc::sync_channel;
use std::thread;

#[inline(never)]
fn page(number: u64) -> String {
    let (mut text, mut seed) = (String::new(), number.wrapping_mul(0x9E3779B97F4A7C15) + 1);
    for line in 0..260 {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        writeln!(text, "<entry id=\"{number}.{line}\"><title>{seed:x}</title>{}</entry>", seed % 977)
            .unwrap();
    }
    text
}

#[inline(never)]
fn publish(file: &mut File, packed: &[u8]) -> u64 {
    file.write_all(packed).unwrap();
    (0..300).fold(0xcbf29ce484222325, |sum, _| {
        packed.iter().fold(sum, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(0x100000001b3))
    })
}

fn main() {
    let pages: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let (to_pack, for_packing) = sync_channel::<String>(1);
    let (to_publish, for_publishing) = sync_channel::<Vec<u8>>(1);
    let packing = thread::Builder::new()
        .name("packing".into())
        .spawn(move || {
            for text in for_packing {
                let mut packed = Vec::new();
                let size = packer::pack(text.as_bytes(), &mut packed);
                assert!(size > 0);
                to_publish.send(packed).unwrap();
            }
        })
        .unwrap();
    let mut file = File::create("feed.packed").unwrap();
    let mut sum = 0u64;
    to_pack.send(page(0)).unwrap();
    for number in 1..=pages {
        if number < pages {
            to_pack.send(page(number)).unwrap();
        }
        sum = sum.wrapping_add(publish(&mut file, &for_publishing.recv().unwrap()));
    }
    drop(to_pack);
    packing.join().unwrap();
    println!("{pages} pages, {sum:x}");
}
