/** The orders and help articles of the demo shop. */
import { createRequire } from 'node:module';
import type { ClientProps } from '@botpress/client';

// The package's ES module does not load in Node.
const { Client }: typeof import('@botpress/client') = createRequire(import.meta.url)('@botpress/client');

const ORDERS = [
  { number: '1001', item: 'Copper kettle', status: 'shipped', expected: 'arrives tomorrow' },
  { number: '1002', item: 'Two tea cups', status: 'packed', expected: 'leaves the warehouse today' },
  { number: '1003', item: 'Earl Grey, 250 g', status: 'delivered', expected: 'signed for by a neighbor' },
];

const ARTICLES = {
  'returns.md':
    '# Returns\n\nYou can return anything within 30 days. Print the label from your order confirmation, put it on the parcel and bring it to a post office. We refund the price within five days.\n',
  'shipping.md':
    '# Shipping\n\nWe ship within one working day. Delivery takes two days within the country and up to ten days abroad. Shipping is free for orders above 50 euros.\n',
  'payment.md':
    '# Payment\n\nWe accept credit cards, bank transfers and invoices for companies. Your card is charged when the parcel leaves our warehouse.\n',
  'kettles.md':
    '# Care of kettles\n\nDescale a kettle every month: boil water with two spoons of vinegar, leave it for 20 minutes and rinse it twice. Never put a copper kettle into a dishwasher.\n',
};

/** Stores the content for the bot. Indexing of the articles continues in the background. */
export async function addShopContent(
  caller: Required<Pick<ClientProps, 'apiUrl' | 'workspaceId' | 'botId' | 'token'>>,
): Promise<void> {
  const client = new Client(caller);
  await client.createTable({ name: 'ordersTable', schema: ORDERS[0]!, keyColumn: 'number' });
  await client.createTableRows({ table: 'ordersTable', rows: ORDERS });
  for (const [key, content] of Object.entries(ARTICLES)) {
    await client.uploadFile({ key: `help/${key}`, content, index: true, tags: { kind: 'help' } });
  }
}
