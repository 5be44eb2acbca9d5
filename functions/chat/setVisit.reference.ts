import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { setVisit } from './setVisit.ts';

export default reference<typeof setVisit>({
  parameters: {
    'user-agent': 'Browsers set it. The platform stores the names of browser and system and the kind of device only.',
  },
  example: {
    path: { id: EXAMPLE.conversation },
    body: {
      url: 'https://shop.example/teas/green',
      title: 'Green tea',
      referrer: 'https://search.example/',
      language: 'en-GB',
      timeZone: 'Europe/London',
    },
  },
  // Checks the participation, reads the visit, and writes it.
  budget: { calls: 3, readUnits: 2, writeUnits: 1 },
});
