import { expect, it } from 'vitest';
import { contrastOf, isReadable, LEAST_CONTRAST, textColorOn } from '#widget/contrast.ts';

it('computes the contrast of WCAG 2, in both directions', () => {
  expect(contrastOf('#000000', '#ffffff')).toBe(21);
  expect(contrastOf('#ffffff', '#ffffff')).toBe(1);
  expect(contrastOf('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrastOf('#ffffff', '#1864ab')).toBeCloseTo(contrastOf('#1864AB', '#FFFFFF'), 10);
});

it('finds a readable color of text for every color', () => {
  for (let i = 0; i < 0x1000; i++) {
    const color = `#${i.toString(16).padStart(3, '0').replaceAll(/./g, '$&$&')}`;
    expect(contrastOf(color, textColorOn(color)), color).toBeGreaterThanOrEqual(LEAST_CONTRAST);
  }
});

it('accepts colors with enough contrast to the background of their theme', () => {
  expect([isReadable('#1864ab', 'light'), isReadable('#74c0fc', 'dark')]).toEqual([true, true]);
  expect([isReadable('#74c0fc', 'light'), isReadable('#1864ab', 'dark')]).toEqual([false, false]);
});
