// What somebody who plays at random taps next: waits until there is anything, gives its middle.
async (chance) => {
  const shown = (all) => all.filter((one) => !one.disabled && one.getClientRects().length);
  const every = (selector) => shown([...document.querySelectorAll(selector)]);
  const any = (all) => all[Math.floor(chance * all.length)];

  const next = () => {
    const app = document.getElementById("app");
    if (document.querySelector(".result")) return "over";
    if (app.getAttribute("aria-busy") === "true" || document.querySelector(".line.gone")) return null;
    const elsewhere = document.querySelector("#tab-hand[aria-selected=false]");
    if (elsewhere) return elsewhere;
    const close = every("dialog[open] [data-do=close]");
    if (close.length) return close[0];
    const wholes = every("[data-do=confirm]");
    if (wholes.length) return wholes[0];
    const options = every("[data-do=step]").filter((one) => one.ariaPressed !== "true");
    if (options.length) return any(options);
    const agreed = every("[data-do=wish].primary");
    if (agreed.length) return agreed[0];
    const cards = every(".card.can:not(.on)");
    const bare = every("[data-do=act], [data-do=there]");
    // what ends a turn is taken half the time: who only plays cards may do so for ever
    if (bare.length && (chance * 97) % 1 < 0.5) return any(bare);
    return any([...cards, ...bare]) || null;
  };

  // the page is painted in the frame after a tap: one that looked before would take a card up and
  // put it down for ever
  const frame = () => new Promise(requestAnimationFrame);
  await frame();
  await frame();
  for (;;) {
    const found = next();
    if (found === "over") return found;
    if (found) {
      found.scrollIntoView({ block: "center", inline: "center" });
      await frame();
      if (found.isConnected) {
        const box = found.getBoundingClientRect();
        // cards overlap, and one that was taken up lies over its neighbours
        const widths = [Math.min(box.width / 2, 20), box.width / 2, box.width - 4, 4];
        const points = widths.map((x) => [box.left + x, box.top + box.height / 2]);
        return points.find((at) => found.contains(document.elementFromPoint(...at))) ?? points[0];
      }
      continue;
    }
    await new Promise((then) => {
      const watch = new MutationObserver(() => { watch.disconnect(); then(); });
      watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    });
  }
};
