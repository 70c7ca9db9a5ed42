//! Which pairs should a person be asked about? Questions one by one, and what they are worth.
//!
//! `cargo run --release --example ask`
#![allow(clippy::print_stdout, reason = "this program talks to a person")]

use linkshift::ask::{Answer, Asker, Chooser, Pair};
use linkshift::cms::{Cms, CmsParams};
use linkshift::{Result, Scores, datasets};

fn main() -> Result<()> {
    let moons = datasets::moons(300, 0.1, 7)?;
    let cms = Cms::new(CmsParams::default())?;
    let mut asker = Asker::new(moons.points.clone(), Chooser::Border, 0)?;
    for n_answers in 1..=20 {
        let Some(&Pair { a, b, .. }) = asker.next(1).first() else { break };
        // Here a person would look at the two rows; we know the classes.
        let same = moons.labels[a] == moons.labels[b];
        asker.tell(a, b, if same { Answer::Same } else { Answer::Different })?;
        if n_answers % 5 == 0 {
            let model = cms.fit(&moons.points, &asker.links())?;
            let ari = Scores::of(&moons.labels, model.labels())?.ari;
            println!("{n_answers:>2} answers: ARI {ari:.3}");
        }
    }
    Ok(())
}
