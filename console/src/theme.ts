/** Mantine's look, with colours dark or light enough to read (WCAG AA), which its own are not everywhere. */
import { type CSSVariablesResolver, createTheme, type MantineTheme, Modal } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'cyan',
  primaryShade: 9,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: { Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }) },
});

export const readableColours: CSSVariablesResolver = ({ colors }: MantineTheme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-gray-light-color': colors.gray[8],
    '--mantine-color-cyan-light-color': colors.cyan[9],
  },
  dark: {
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-cyan-light-color': colors.cyan[2],
  },
});
