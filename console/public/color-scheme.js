// Before the first paint, so that nobody who chose the dark sees a white flash.
(() => {
  const chosen = localStorage.getItem('console-color-scheme');
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
