/** Mantine's theme. All text meets WCAG AA on every surface. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, type MantineTheme } from '@mantine/core';
import { shell } from './messages/en/shell.ts';
import { translator } from './messages/translate.ts';

const t = translator('shell', shell);

const brand: MantineColorsTuple = [
  '#ecf8fa',
  '#d3eef2',
  '#a8dde5',
  '#79cbd7',
  '#52bbca',
  '#35aabb',
  '#1f93a5',
  '#107f91',
  '#0b7082',
  '#0a5d6c',
];
const gray: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f5',
  '#eaeaed',
  '#dedee2',
  '#c7c7ce',
  '#a1a1aa',
  '#82828c',
  '#5c5c66',
  '#3f3f46',
  '#1c1c20',
];
const dark: MantineColorsTuple = [
  '#e7e7ea',
  '#a9a9b3',
  '#8b8b96',
  '#63636e',
  '#2e2e34',
  '#26262b',
  '#1d1d21',
  '#141417',
  '#0e0e10',
  '#09090b',
];

/** The header of a dialog is not the banner of the page. */
const NO_BANNER = { header: { role: 'none' } };

/** Requires a loaded language. Refers to components by name, so that pages load only the components they show. */
export const createConsoleTheme = () =>
  createTheme({
    colors: { brand, gray, dark },
    black: '#1c1c20',
    primaryColor: 'brand',
    primaryShade: 8,
    fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
    fontFamilyMonospace: "ui-monospace, 'SF Mono', Menlo, 'Cascadia Mono', 'DejaVu Sans Mono', monospace",
    fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
    lineHeights: { xs: '1.4', sm: '1.45', md: '1.5' },
    headings: {
      fontWeight: '600',
      sizes: {
        h1: { fontSize: '1.25rem', lineHeight: '1.3' },
        h2: { fontSize: '1.25rem', lineHeight: '1.3' },
        h3: { fontSize: '1rem', lineHeight: '1.4' },
        h4: { fontSize: '0.875rem', lineHeight: '1.4' },
      },
    },
    defaultRadius: 'sm',
    radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '18px' },
    cursorType: 'pointer',
    respectReducedMotion: true,
    components: {
      Badge: { defaultProps: { radius: 'sm', tt: 'none', fw: 500 } },
      Button: { defaultProps: { fw: 500 } },
      Drawer: {
        defaultProps: {
          position: 'right',
          size: 520,
          closeButtonProps: { 'aria-label': t('close') },
          attributes: NO_BANNER,
        },
        styles: { title: { fontWeight: 600 } },
      },
      Menu: { defaultProps: { shadow: 'md', position: 'bottom-end' } },
      Modal: {
        defaultProps: { centered: true, closeButtonProps: { 'aria-label': t('close') }, attributes: NO_BANNER },
        styles: { title: { fontWeight: 600 } },
      },
      NavLink: { defaultProps: { px: 8, py: 5 } },
      Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('close') } } },
      Paper: { defaultProps: { radius: 'md' } },
      Table: { defaultProps: { verticalSpacing: 8, horizontalSpacing: 'sm' } },
      Tooltip: { defaultProps: { openDelay: 400, fz: 'xs', withArrow: false } },
    },
  });

export const readableColours: CSSVariablesResolver = ({ colors }: MantineTheme) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-error': colors.red[9],
    '--mantine-color-default-border': colors.gray[3],
    '--mantine-color-anchor': colors.brand![8],
    '--mantine-color-gray-light-color': colors.gray[8],
    '--mantine-color-brand-light-color': colors.brand![9],
    '--mantine-color-green-light-color': '#1a6b2c',
    '--mantine-color-red-light-color': colors.red[9],
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--console-sidebar': colors.gray[0],
    '--console-subtle': colors.gray[1],
    '--console-hover': colors.gray[1],
    '--console-active': colors.gray[2],
    '--console-line': colors.gray[2],
    '--console-note': colors.yellow[0],
  },
  dark: {
    '--mantine-color-text': colors.dark[0],
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
    '--mantine-color-error': colors.red[4],
    '--mantine-color-default-border': colors.dark[4],
    '--mantine-color-anchor': colors.brand![3],
    '--mantine-color-brand-light-color': colors.brand![2],
    '--mantine-color-green-light-color': colors.green[3],
    '--mantine-color-red-light-color': colors.red[3],
    '--mantine-color-yellow-light-color': colors.yellow[3],
    '--mantine-color-gray-light-color': colors.dark[0],
    '--console-sidebar': colors.dark[8],
    '--console-subtle': colors.dark[6],
    '--console-hover': colors.dark[6],
    '--console-active': colors.dark[5],
    '--console-line': colors.dark[5],
    '--console-note': '#2b2510',
  },
});
