// Shows the page when a notice of it is tapped.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const pages = clients.matchAll({ type: "window", includeUncontrolled: true });
  event.waitUntil(pages.then(([page]) => page && page.focus()));
});
