import type { ComboboxItem, OptionsFilter } from '@mantine/core';

/** All options while one of them is chosen, so that another can be; otherwise those with the typed text. */
export const suggest: OptionsFilter = ({ options, search }) => {
  const items = options as ComboboxItem[];
  const wanted = search.trim().toLowerCase();
  if (items.some(({ value }) => value.toLowerCase() === wanted)) return items;
  return items.filter(({ value }) => value.toLowerCase().includes(wanted));
};
