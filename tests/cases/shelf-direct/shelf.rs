// SPDX-License-Identifier: MIT
// shelf fill FILE PAGES; shelf cached|direct FILE LOOKUPS
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{FileExt, OpenOptionsExt};

const PAGE: usize = 8192;
const O_DIRECT: i32 = 0o40000;

#[repr(align(4096))]
struct Page([u8; PAGE]);

fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn fill(name: &str, pages: usize) {
    let mut file = File::create(name).unwrap();
    let mut state = 88172645463325252u64;
    let mut page = vec![0u8; PAGE];
    for _ in 0..pages {
        for cell in page.chunks_mut(8) {
            cell.copy_from_slice(&next(&mut state).to_le_bytes());
        }
        file.write_all(&page).unwrap();
    }
}

#[inline(never)]
fn read_page(file: &File, number: u64, page: &mut Page) -> u64 {
    file.read_exact_at(&mut page.0, number * PAGE as u64).unwrap();
    page.0[0] as u64
}

#[inline(never)]
fn find_price(page: &Page, wanted: u64) -> u64 {
    let mut best = u64::MAX;
    let mut digest = wanted;
    for cell in page.0.chunks(8) {
        let mut bytes = [0u8; 8];
        bytes.copy_from_slice(cell);
        let value = u64::from_le_bytes(bytes);
        for shift in 0..36 {
            digest = digest.rotate_left(5) ^ (value >> shift).wrapping_mul(0x9e3779b97f4a7c15);
        }
        best = best.min(value ^ digest);
    }
    best
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (how, name, count) = (&arguments[1], &arguments[2], arguments[3].parse().unwrap());
    if how == "fill" {
        return fill(name, count);
    }
    let flags = if how == "direct" { O_DIRECT } else { 0 };
    let file = OpenOptions::new().read(true).custom_flags(flags).open(name).unwrap();
    let pages = file.metadata().unwrap().len() / PAGE as u64;
    let mut page = Box::new(Page([0; PAGE]));
    let mut state = 362436069u64;
    let mut sum = 0u64;
    for _ in 0..count {
        let wanted = next(&mut state);
        sum = sum.wrapping_add(read_page(&file, wanted % pages, &mut page));
        sum = sum.wrapping_add(find_price(&page, wanted));
    }
    println!("{}", sum);
}
