// SPDX-License-Identifier: MIT
//
// wiki: three threads edit the pages of a wiki, and check the spelling of each new line. Until they
// are done, a fourth publishes the pages one after another, with a pause after each. With --cfg held
// it renders a page while the lock on the pages is held.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

const PAUSE: Duration = Duration::from_millis(3);

type Page = Vec<String>;

struct Wiki {
    pages: Mutex<HashMap<usize, Page>>,
}

impl Wiki {
    #[inline(never)]
    fn edit(&self, page: usize, number: usize, line: String) {
        if let Some(lines) = self.pages.lock().unwrap().get_mut(&page) {
            let end = lines.len();
            lines[number % end] = line;
        }
    }

    #[cfg(not(held))]
    #[inline(never)]
    fn publish(&self, page: usize) -> String {
        let found = self.pages.lock().unwrap().get(&page).cloned();
        match found {
            Some(lines) => render(&lines),
            None => String::new(),
        }
    }

    // What `match` looks at lives until its end, and the lock's guard with it.
    #[cfg(held)]
    #[inline(never)]
    fn publish(&self, page: usize) -> String {
        match self.pages.lock().unwrap().get(&page).cloned() {
            Some(lines) => render(&lines),
            None => String::new(),
        }
    }
}

// The page, and an index of its words.
#[inline(never)]
fn render(lines: &[String]) -> String {
    let mut index: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut html = String::new();
    for (number, line) in lines.iter().enumerate() {
        for word in line.split(' ') {
            index.entry(word).or_default().push(number);
        }
        html += &format!("<p id=\"{}\">{}</p>\n", number, line);
    }
    for (word, numbers) in index {
        html += &format!("<li>{}: {} times, last in {}</li>\n", word, numbers.len(), numbers[numbers.len() - 1]);
    }
    html
}

fn word(number: usize) -> String {
    format!("word{}", number * 7919 % 3001)
}

fn line(number: usize) -> String {
    (0..12).map(|i| word(number + i * i)).collect::<Vec<_>>().join(" ")
}

// How many letters of two words differ, at the best.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let cell = (corner + usize::from(x != y)).min(row[j].min(row[j + 1]) + 1);
            corner = row[j + 1];
            row[j + 1] = cell;
        }
    }
    row[b.len()]
}

#[inline(never)]
fn check_spelling(line: &str, known: &[String]) -> usize {
    line.split(' ').filter(|word| known.iter().all(|other| distance(word, other) > 2)).count()
}

fn edit_pages(wiki: &Wiki, thread: usize, known: &[String]) -> usize {
    let mut mistakes = 0;
    for i in 0..4000 {
        let line = line(thread * 1000 + i);
        mistakes += check_spelling(&line, known);
        wiki.edit(i % 20, thread * 1000 + i, line);
    }
    mistakes
}

fn main() {
    let pages = (0..20).map(|page| (page, (0..5000).map(|i| line(page + i)).collect())).collect();
    let wiki = Wiki { pages: Mutex::new(pages) };
    let known: Vec<String> = (0..60).map(|i| format!("words{}", i * 50_000)).collect();
    let done = AtomicBool::new(false);
    let mistakes: usize = thread::scope(|scope| {
        scope.spawn(|| {
            let mut published = HashMap::new();
            for page in (0..20).cycle().take_while(|_| !done.load(Ordering::Relaxed)) {
                published.insert(page, wiki.publish(page));
                thread::sleep(PAUSE);
            }
        });
        let (wiki, known) = (&wiki, &known);
        let editors: Vec<_> = (0..3).map(|i| scope.spawn(move || edit_pages(wiki, i, known))).collect();
        let mistakes = editors.into_iter().map(|editor| editor.join().unwrap()).sum();
        done.store(true, Ordering::Relaxed);
        mistakes
    });
    println!("{} mistakes", mistakes);
}
