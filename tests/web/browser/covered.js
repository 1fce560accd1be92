// What is covered of what is to be read or tapped, however it is scrolled: by a notch, the home indicator.
([top, right, bottom, left]) => {
  const dialog = document.querySelector("dialog[open]");
  const all = (dialog || document).querySelectorAll("button, input, h1, h2, h3, p, li, .badge, .shown");
  const visible = (one) => one.getClientRects().length && getComputedStyle(one).visibility !== "hidden";
  const seen = (one) => {
    const box = one.getBoundingClientRect();
    const part = { top: box.top, right: box.right, bottom: box.bottom, left: box.left };
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowY === "visible") continue;
      const clip = at.getBoundingClientRect();
      for (const side of ["top", "left"]) part[side] = Math.max(part[side], clip[side]);
      for (const side of ["bottom", "right"]) part[side] = Math.min(part[side], clip[side]);
    }
    return part;
  };
  const found = [];
  for (const one of all) {
    if (!visible(one) || one.matches("#toast:not(.shown)")) continue;
    one.scrollIntoView({ block: "center", inline: "center" });
    const at = seen(one);
    const over = [top - at.top, at.right - innerWidth + right, at.bottom - innerHeight + bottom, left - at.left];
    if (over.some((much) => much > 1)) found.push(`${one.tagName}.${one.className} ${over.map(Math.round)}`);
  }
  return found;
};
