import { type ComponentType, createElement, type SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  size?: number | string;
  /** Width of the lines. */
  stroke?: number | string;
}

export type Icon = ComponentType<IconProps>;

/** @param paths of an outline icon of Tabler, in a square of 24 units */
export const icon =
  (paths: readonly string[]): Icon =>
  ({ size = 24, stroke = 2, ...rest }) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        viewBox: '0 0 24 24',
        width: size,
        height: size,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: stroke,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        ...rest,
      },
      ...paths.map(d => createElement('path', { d })),
    );
