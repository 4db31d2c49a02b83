// SPDX-License-Identifier: MIT
//
// Counts the parts that 15 warehouses report, by shelf and number, and prints a line for each
// warehouse. With --cfg coarse the hash of a part leaves out its number.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

#[derive(Clone, PartialEq, Eq)]
struct Part {
    shelf: u32,
    number: u32,
}

impl Hash for Part {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.shelf.hash(state);
        #[cfg(not(coarse))]
        self.number.hash(state);
    }
}

struct Inventory {
    parts: HashMap<Part, u64>,
}

impl Inventory {
    #[inline(never)]
    fn count(&mut self, part: Part, amount: u64) {
        *self.parts.entry(part).or_insert(0) += amount;
    }

    #[inline(never)]
    fn report(&self, warehouse: u32) {
        let total: u64 = self.parts.values().sum();
        println!("warehouse {}: {} parts, {} pieces", warehouse, self.parts.len(), total);
    }
}

fn main() {
    let mut inventory = Inventory { parts: HashMap::new() };
    for warehouse in 0..15 {
        for i in 0..16000u32 {
            let part = Part { shelf: i % 8, number: i };
            inventory.count(part, u64::from(warehouse + i));
        }
        inventory.report(warehouse);
    }
}
