/** Integrations of the hub. */
import { expect, it } from 'vitest';
import { freeAlias, matchesOffer, offerOf, offersOf, upgradeOf } from '#console/src/pages/integrations/hubOffers.ts';

const OWN = { id: 'w1', name: 'Acme', handle: null };
const OTHER = { id: 'w2', name: 'Umbrella', handle: 'umbrella' };
const listed = (id: string, name: string, version: string, ownerWorkspace: typeof OWN | typeof OTHER, title = '') => ({
  id,
  name,
  version,
  title,
  description: `About ${name}`,
  ownerWorkspace,
});

const offers = offersOf(
  [
    listed('a', 'mail', '1.9.0', OWN, 'Mail'),
    listed('b', 'mail', '1.10.0', OWN, 'E-mail'),
    listed('b', 'mail', '1.10.0', OWN, 'E-mail'),
    listed('c', 'mail', '2.0.0-beta', OTHER),
    listed('d', 'umbrella/fax', '0.1.0', OTHER, 'Fax'),
  ],
  'w1',
);

it("groups versions by name and owner, the workspace's own first, with the texts of the newest version", () => {
  expect(offers.map(({ title, isOwn, versions }) => [title, isOwn, versions.map(({ id }) => id)])).toEqual([
    ['E-mail', true, ['b', 'a']],
    ['Fax', false, ['d']],
    ['mail', false, ['c']],
  ]);
});

it('finds newer versions of the same owner', () => {
  expect(upgradeOf(offerOf(offers, 'a'), 'a')).toEqual({ id: 'b', version: '1.10.0' });
  expect(upgradeOf(offerOf(offers, 'b'), 'b')).toBeUndefined();
  expect(upgradeOf(offerOf(offers, 'gone'), 'gone')).toBeUndefined();
});

it('searches names, texts and owners by word', () => {
  const found = (text: string) => offers.filter(offer => matchesOffer(offer, text)).map(({ name }) => name);

  expect(found('')).toHaveLength(3);
  expect(found('umbrella about')).toEqual(['umbrella/fax', 'mail']);
  expect(found('E-MAIL')).toEqual(['mail']);
});

it('numbers the alias of a second installation', () => {
  expect(freeAlias('umbrella/fax', [])).toBe('fax');
  expect(freeAlias('fax', ['fax', 'fax-2'])).toBe('fax-3');
});
