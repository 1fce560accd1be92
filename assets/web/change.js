// What the gateway sends of a new page: its difference from the page that is shown.

/** The new page: `replaced` fields, of maps the `entries` that differ (null: gone), of lists all
 *  `items`, where a number is the item with that index in the old list. */
export function changed(page, { replaced = {}, entries = {}, items = {} }) {
  const next = { ...page, ...replaced };
  for (const [field, some] of Object.entries(entries)) {
    const all = Object.entries({ ...page[field], ...some });
    next[field] = Object.fromEntries(all.filter(([, value]) => value !== null));
  }
  for (const [field, list] of Object.entries(items)) {
    next[field] = list.map((item) => (typeof item === "number" ? page[field][item] : item));
  }
  return next;
}
