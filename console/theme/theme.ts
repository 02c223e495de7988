import {
  Alert,
  Anchor,
  createTheme,
  getDefaultZIndex,
  type MantineColorsTuple,
  Menu,
  Modal,
  Notification,
} from '@mantine/core';

/**
 * The primary color of the console: readable as text on white (shade 7) and on the darkest
 * background (shade 3).
 */
const brand: MantineColorsTuple = [
  '#eef2ff',
  '#dfe6ff',
  '#bccaff',
  '#96abff',
  '#7690fb',
  '#5c78f3',
  '#4863e6',
  '#3a51cc',
  '#3143a8',
  '#2a3a86',
];

/** Cooler and deeper than Mantine's own, so that pictures and charts stand out. */
const dark: MantineColorsTuple = [
  '#d5dae5',
  '#b6becd',
  '#9aa4b7',
  '#788499',
  '#475266',
  '#323c4e',
  '#242c3b',
  '#191f2b',
  '#12161f',
  '#0c1017',
];

const CLOSE = { 'aria-label': 'Close' };
/** Mantine's own lines are as high as the letters: those of a long title would touch. */
const TITLE = { title: { fontWeight: 650, lineHeight: 1.3 } };
/** The header of a dialog is not one of the page. */
const HEADER = { header: { role: 'presentation' } };
/**
 * A dialog closes without a transition, so that no key reaches it once it is closed; `page.css` lets it
 * appear. Its backdrop fades out, so that the second click of a double click does not reach the page.
 */
const AT_ONCE = { duration: 0 };
const FADING = { transitionProps: { duration: 200 } };

export const theme = createTheme({
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 7 },
  colors: { brand, dark },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  headings: { fontWeight: '650' },
  components: {
    // In a sentence, color alone does not tell a link.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // Its icon and border have the color; as text it would be too faint. Its message would cut the focus ring
    // of a button.
    Alert: Alert.extend({
      styles: {
        title: { color: 'var(--mantine-color-text)' },
        message: { overflow: 'visible' },
      },
    }),
    // Focus goes to the first item, which shows what Enter would do.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // Their buttons have no names of their own.
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: CLOSE,
        centered: true,
        attributes: HEADER,
        transitionProps: AT_ONCE,
        // `useKeptPlace` returns it without a delay.
        returnFocus: false,
      },
      styles: TITLE,
    }),
    // Without its own `extend`, which would load it before a view needs it.
    Drawer: {
      defaultProps: {
        closeButtonProps: CLOSE,
        position: 'right',
        attributes: HEADER,
        transitionProps: AT_ONCE,
        returnFocus: false,
      },
      styles: TITLE,
    },
    // Also above a notification with a copy button.
    Tooltip: { defaultProps: { zIndex: getDefaultZIndex('max') } },
    SpotlightRoot: { defaultProps: { transitionProps: AT_ONCE } },
    ModalOverlay: { defaultProps: FADING },
    DrawerOverlay: { defaultProps: FADING },
    Notification: Notification.extend({ defaultProps: { closeButtonProps: CLOSE } }),
  },
});
