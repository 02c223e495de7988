import type { CSSVariablesResolver } from '@mantine/core';

/**
 * Corrects Mantine's colors, whose secondary text lacks the contrast of 4.5 to 1 required by WCAG
 * 2.2 AA (1.4.3).
 */
export const resolveColors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#556072',
    '--mantine-color-placeholder': '#667085',
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-red-outline': '#c92a2a',
    '--mantine-color-yellow-outline': '#8a4b00',
    '--mantine-color-gray-outline': '#4b5563',
    '--page-ground': '#f6f7fa',
    '--card-line': '#e3e7ee',
  },
  dark: {
    '--mantine-color-dimmed': '#a3adbf',
    '--mantine-color-placeholder': '#8f9aae',
    '--mantine-color-error': '#ff8787',
    '--page-ground': '#0f131b',
    '--card-line': '#262f3f',
  },
});
