/** Parts of the definitions of bots, integrations, interfaces and plugins. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const TITLED = {
  title: 'Name for people. Shown instead of the key.',
  description: 'Explanation for people.',
};
const OWNERS = ['user', 'conversation', 'message'];

export const definitions = [
  anywhereIn('admin', {
    events: 'Events that it emits, by name.',
    actions: 'Actions that `callAction` can run, by name.',
    states: 'States that it stores, by name.',
    entities: 'Types of records of the external service, by name.',
    channels: 'Channels in which conversations take place, by name.',
    attributes: 'Strings by name for programs, which the platform stores and returns.',
    sdkVersion: 'Version of the SDK with which the definition was built. Stored and not interpreted.',
  }),
  shapeIn('admin', ['events.*'], {
    ...TITLED,
    schema: 'JSON Schema of the payload. `createEvent` rejects other payloads.',
    attributes: 'Strings by name for programs, which the platform stores and returns.',
  }),
  shapeIn('admin', ['actions.*'], {
    ...TITLED,
    billable: 'True if calls cost money at the provider. Stored and not interpreted.',
    cacheable: 'True if equal inputs give equal outputs. Stored and not interpreted.',
    input: 'Input of the action.',
    'input.schema': 'JSON Schema of the input. `callAction` rejects other inputs.',
    output: 'Output of the action.',
    'output.schema': 'JSON Schema of the output. A different output fails the call.',
    attributes: 'Strings by name for programs, which the platform stores and returns.',
  }),
  shapeIn('admin', ['states.*'], {
    type: 'Kind of the record that owns the state.',
    schema: 'JSON Schema of the payload, for documentation. The platform does not check it.',
    expiry: 'Idle time in milliseconds after which the state is deleted, for documentation.',
  }),
  shapeIn('admin', ['entities.*'], { ...TITLED, schema: 'JSON Schema of a record.' }),
  shapeIn('admin', ['channels.*'], {
    ...TITLED,
    messages: 'Types of messages of the channel, by name.',
    'messages.*.schema': 'JSON Schema of the payload, for documentation.',
  }),
  shapeIn('admin', ['channels.*'], {
    conversation: 'Settings of conversations in the channel.',
    message: 'Settings of messages in the channel.',
  }),
  shapeIn('admin', ['channels.*.conversation', 'user'], {
    creation: 'Creation of records through the integration when a bot calls `createConversation` or `createUser`.',
    'creation.enabled': 'True if the integration creates the record. False lets the platform create it.',
    'creation.requiredTags': 'Tags without which the call of the bot is rejected.',
  }),
  shapeIn('admin', OWNERS, {
    tags: 'Tags with their descriptions, by name. Other tags are accepted as well.',
    'tags.*.title': TITLED.title,
    'tags.*.description': TITLED.description,
  }),
  anywhereIn('admin', {
    user: 'Tags of users.',
    conversation: 'Tags of conversations.',
    message: 'Tags of messages.',
  }),
  anywhereIn('admin', {
    configuration: 'Settings that its installations have.',
    configurations: 'Alternative settings, by the `configurationType` that selects them.',
  }),
  shapeIn('admin', ['configuration', 'configurations.*'], {
    ...TITLED,
    schema: 'JSON Schema of the settings. Fields with `"x-zui": { "secret": true }` are write-only.',
    identifier: 'Identification of installations by the external service.',
    'identifier.required': 'True if an installation works only after the integration set its identifier. Stored only.',
    'identifier.linkTemplateScript': 'Script that builds the link to connect an account. Stored and not run.',
  }),
];
