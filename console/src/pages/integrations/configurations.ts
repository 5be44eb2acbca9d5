/** Configuration types of an integration, each with its own schema. */
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { isChatName, withChatFields } from './chatFields.ts';
import type { Definition } from './hubOffers.ts';

const t = translator('integrations', integrations);

export interface ConfigurationType {
  /** Null for the default one. */
  type: string | null;
  title: string;
  description: string | undefined;
  schema: unknown;
  linkTemplate: string | undefined;
}

type Declared = Definition['configuration'] & {
  title?: string;
  description?: string;
  identifier?: { linkTemplateScript?: string | null };
};

export function configurationTypesOf(definition: Definition): ConfigurationType[] {
  const { name, configuration, configurations } = definition;
  const viewOf = (type: string | null, declared: Declared): ConfigurationType => ({
    type,
    title: declared.title || type || t('defaultType'),
    description: declared.description || undefined,
    schema: isChatName(name)
      ? withChatFields(
          declared.schema,
          field => ({ title: t(field), description: t(`${field}About`) }),
          t('openSignUpWithIds'),
        )
      : declared.schema,
    linkTemplate: declared.identifier?.linkTemplateScript || undefined,
  });
  return [viewOf(null, configuration), ...Object.entries(configurations).map(([type, each]) => viewOf(type, each))];
}
