import type { ProviderTest } from '../exchange.ts';
import { github } from './github.ts';
import { gmail } from './gmail.ts';
import { notion } from './notion.ts';
import { slack } from './slack.ts';
import { stripe } from './stripe.ts';
import { telegram } from './telegram.ts';
import { todoist } from './todoist.ts';
import { webhook } from './webhook.ts';
import { whatsapp } from './whatsapp.ts';
import { zendesk } from './zendesk.ts';

/** By the folder of the integration in the public repository. */
export const providers: Record<string, ProviderTest> = {
  webhook,
  telegram,
  slack,
  whatsapp,
  github,
  gmail,
  notion,
  zendesk,
  stripe,
  todoist,
};
