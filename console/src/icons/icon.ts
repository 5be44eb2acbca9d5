import { type ComponentType, createElement, type SVGProps } from 'react';

interface IconProps extends Omit<SVGProps<SVGSVGElement>, 'stroke'> {
  size?: number | string;
  /** Stroke width. */
  stroke?: number | string;
}

export type Icon = ComponentType<IconProps>;

/** @param paths of a Tabler outline icon, on a grid of 24 by 24 units */
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
