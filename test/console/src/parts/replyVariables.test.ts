/** Variables of saved replies. */
import { describe, expect, it } from 'vitest';
import { filled, valuesOf, variablesIn } from '#console/src/parts/replyVariables.ts';

const values = valuesOf({ user: ' Ada King Lovelace', agent: 'Grace Hopper', bot: 'Support' });

describe('a saved reply', () => {
  it('contains the names of the customer, the agent and the bot', () => {
    const text =
      'Hello {{user.firstName}} ({{ user.name }}), this is {{agent.firstName}} {{agent.name}} of {{bot.name}}.';

    expect(filled(text, values)).toBe('Hello Ada ( Ada King Lovelace), this is Grace Grace Hopper of Support.');
    expect(variablesIn(filled(text, values))).toEqual([]);
  });

  it('keeps variables without a value, and says where they are', () => {
    const text = filled(
      'Hi {{user.firstName}}, {{agent.firstName}}',
      valuesOf({ user: undefined, agent: 'G', bot: '' }),
    );

    expect(text).toBe('Hi {{user.firstName}}, G');
    expect(variablesIn(text)).toEqual([{ variable: 'user.firstName', start: 3, end: 21 }]);
  });

  it('keeps other braces, and takes no variables and no patterns from a name', () => {
    expect(filled('{{order.id}} {user.name} {{user}}', values)).toBe('{{order.id}} {user.name} {{user}}');
    const hostile = valuesOf({ user: '{{agent.name}} $& $1', agent: 'Grace', bot: 'b' });
    expect(filled('{{user.name}}', hostile)).toBe('{{agent.name}} $& $1');
  });
});
