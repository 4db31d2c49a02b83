// SPDX-License-Identifier: MIT
//! Packs text: what has been there before is written as a distance and a length. Version 2: finds
//! more of it by a larger table.

const BITS: u32 = 23;

fn place(text: &[u8], at: usize) -> usize {
    let four = u32::from_le_bytes([text[at], text[at + 1], text[at + 2], text[at + 3]]);
    (four.wrapping_mul(2654435761) >> (32 - BITS)) as usize
}

#[inline(never)]
pub fn pack(text: &[u8], packed: &mut Vec<u8>) -> usize {
    let mut table = vec![0u32; 1 << BITS];
    let (mut at, mut from) = (0, 0);
    while at + 4 <= text.len() {
        let seen = table[place(text, at)] as usize;
        table[place(text, at)] = at as u32 + 1;
        let mut length = 0;
        if seen > 0 {
            while at + length < text.len() && text[seen - 1 + length] == text[at + length] {
                length += 1;
            }
        }
        if length < 4 {
            at += 1;
            continue;
        }
        packed.extend_from_slice(&text[from..at]);
        packed.extend_from_slice(&((at + 1 - seen) as u32).to_le_bytes());
        packed.extend_from_slice(&(length as u32).to_le_bytes());
        at += length;
        from = at;
    }
    packed.extend_from_slice(&text[from..]);
    drop(table);
    packed.len()
}
