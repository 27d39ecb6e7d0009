/**
 * The winning score of the whole digit and of the jumbled one, one under the other, with a
 * mark at the score that 95 % of clean digits reach.
 * @import { Verdict } from "./words.js"
 */
import { clamp } from "../../lib/arithmetic.js";
import { exactShare } from "../../lib/decimals.js";
import { setText } from "../../ui/dom.js";
import { winnerName } from "./words.js";

/** @param {HTMLElement} root filled */
export function mountPair(root) {
  const title = document.createElement("p");
  title.className = "fine";
  const rows = ["whole", "jumbled"].map((when) => {
    const row = document.createElement("div");
    row.className = `parts-pair-row is-${when}`;
    const [name, track, value] = ["span", "span", "output"].map((tag) =>
      document.createElement(tag),
    );
    name.textContent = when;
    track.className = "parts-pair-track";
    const [bar, mark] = ["i", "b"].map((tag) => document.createElement(tag));
    track.append(bar, mark);
    row.append(name, track, value);
    return { row, bar, mark, value };
  });
  root.append(title, ...rows.map(({ row }) => row));

  return {
    /** @param {Verdict} verdict */
    show({ kind, whole, jumbled, passing }) {
      const winner = winnerName(kind);
      const level =
        passing === null
          ? ""
          : `; the mark: what 95\u202f% of unchanged test digits reach (${exactShare(passing, 3)})`;
      setText(title, `${winner[0].toUpperCase()}${winner.slice(1)}, 0 to 1${level}`);
      [whole, jumbled].forEach(({ read, score }, i) => {
        const { bar, mark, value } = rows[i];
        bar.style.width = `${100 * clamp(score, 0, 1)}%`;
        mark.hidden = passing === null;
        mark.style.left = `${100 * (passing ?? 0)}%`;
        setText(value, `${exactShare(score, 3)} (${read})`);
      });
    },
  };
}
