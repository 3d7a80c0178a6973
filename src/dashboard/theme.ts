import { createTheme, type MantineColorsTuple } from '@mantine/core';
import type { MouseEvent } from 'react';
import { t } from './language/texts.ts';

/** The green of the customer pages. */
const causeway: MantineColorsTuple = [
  '#e9f5f1',
  '#d3eae2',
  '#a6d6c8',
  '#76c1ab',
  '#4fae93',
  '#2b977c',
  '#178069',
  '#0e6b5c',
  '#0a5448',
  '#063c34',
];

/**
 * The color of important notices, such as those of the sandbox, demo accounts and partial payments. The dark shades
 * are readable on the light ones.
 */
const amber: MantineColorsTuple = [
  '#fff8e6',
  '#fdf1d4',
  '#f3d58d',
  '#e9c46a',
  '#d9ad45',
  '#bb8a1e',
  '#9a6f0c',
  '#835c04',
  '#6d4a00',
  '#5d3f00',
];

/** Neutral shades with a trace of green, from text (light) to background (dark). */
const dark: MantineColorsTuple = [
  '#ecf2ef',
  '#cfd9d4',
  '#a4b3ad',
  '#73837c',
  '#3a4a44',
  '#2c3a35',
  '#1d2825',
  '#17201d',
  '#0e1412',
  '#090d0c',
];

/** Moves the focus from the item of a menu, which closes, to the button that opened the menu. */
function focusMenuButton({ currentTarget }: MouseEvent<HTMLElement>): void {
  const buttonId = currentTarget.getAttribute('aria-labelledby');
  if (buttonId !== null) document.getElementById(buttonId)?.focus();
}

export const theme = createTheme({
  primaryColor: 'causeway',
  primaryShade: { light: 7, dark: 6 },
  colors: { causeway, amber, dark },
  defaultRadius: 'md',
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "PingFang HK", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans Thai", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "Noto Sans Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Fieldsets group related fields, without a frame or the browser's margin.
    Fieldset: {
      defaultProps: { variant: 'unstyled', p: 0, m: 0, miw: 0 },
      styles: {
        legend: { fontSize: 'var(--mantine-font-size-sm)', fontWeight: 'var(--mantine-font-weight-medium)' },
      },
    },
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': t.common.close } },
      styles: {
        // Keeps a focused field below the sticky header.
        content: { scrollPaddingTop: '4.5rem' },
        title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650, lineHeight: 1.3 },
      },
    },
    // Opened by keyboard or pointer, a menu starts with the focus on its first item.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // A dialog returns the focus to the element that had it, so the button of the menu must have it.
    MenuDropdown: { defaultProps: { onClickCapture: focusMenuButton } },
    // Removes the banner role of the `header` element, because only the page has a banner.
    ModalHeader: { defaultProps: { role: 'none' } },
  },
});
