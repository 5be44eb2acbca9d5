/** The chat fields in the console's form. */
import { expect, it } from 'vitest';
import { CHAT_FIELDS, withChatFields } from '#console/src/pages/integrations/chatFields.ts';
import { CHAT_DEFINITION } from '#infra/local/chatDefinition.ts';
import { faultOf } from '#shared/core/jsonSchema.ts';
import { OWN_FIELDS } from '#shared/domain/admin/bots/botConfiguration.ts';
import { requireChatConfiguration } from '#shared/domain/admin/bots/chatConfiguration.ts';

const secret = 'kT9vQ2xLr8ZbN4mW7cY1pF6hJ3sD5gA0';
const CONFIGURATION = {
  encryptionKey: secret,
  openSignUp: 'withIds',
  payloadExtensions: true,
  fileUploads: false,
  adminSecret: secret,
  allowedOrigins: ['https://www.example.com'],
};

it("has the platform's fields, with schemas that accept valid values", () => {
  const schema = withChatFields(
    CHAT_DEFINITION.configuration.schema,
    title => ({ title, description: '' }),
    'With ids',
  );

  expect(CHAT_FIELDS.toSorted()).toEqual(OWN_FIELDS.toSorted());
  expect(() => requireChatConfiguration('chat', CONFIGURATION, { isChat: true })).not.toThrow();
  expect(faultOf(schema, CONFIGURATION)).toBeUndefined();
  expect(faultOf(schema, { ...CONFIGURATION, openSignUp: true, webhookUrl: 'https://example.com' })).toBeUndefined();
  expect(faultOf(schema, { allowedOrigins: [1] })).toMatchObject({ path: ['allowedOrigins', '0'] });
});
