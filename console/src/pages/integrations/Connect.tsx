/** Connects an installation to an account at its provider (docs/api/webhook.md#oauth). */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useParley } from '../../api/clients.ts';
import { useAction } from '../../api/useAction.ts';
import { IconExternalLink } from '../../icons/tabler.ts';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';
import { Copyable } from '../../parts/Copyable.tsx';
import { Fact, Facts, When } from '../../parts/Small.tsx';
import { linkOf } from './linkTemplate.ts';

const t = translator('integrations', integrations);

interface ConnectProps {
  botId: string;
  alias: string;
  integrationId: string;
  template: string;
}

export function Connect({ botId, alias, integrationId, template }: ConnectProps) {
  const parley = useParley(botId);
  const begin = useAction(() => parley.createOAuthState(integrationId, alias));
  if (!begin.data)
    return (
      <Group>
        <Button size="xs" variant="default" loading={begin.isPending} onClick={() => begin.mutate(undefined)}>
          {t('connectStart')}
        </Button>
      </Group>
    );
  const { state, redirectUrl, expiresAt } = begin.data;
  // Passes the state instead of the webhook's id, because Parley rejects the id.
  const link = linkOf(template, { webhookId: state, webhookUrl: redirectUrl.replace(/\/oauth$/, '') });
  const wizard = `${redirectUrl}/wizard/start?state=${encodeURIComponent(state)}`;
  return (
    <Stack gap="xs" align="flex-start">
      {!link && <Text size="sm">{t('connectManual')}</Text>}
      <Button
        component="a"
        size="xs"
        href={link ?? wizard}
        target="_blank"
        rel="noopener noreferrer"
        rightSection={<IconExternalLink size={14} aria-hidden />}
      >
        {link ? t('connectOpen', { host: new URL(link).host }) : t('connectWizard')}
      </Button>
      <Text size="xs" c="dimmed">
        {t.rich('connectExpires', { time: <When at={expiresAt} isExact /> })}
      </Text>
      {!link && (
        <Facts>
          <Fact name={t('connectState')}>
            <Copyable value={state} label={t('copyState')} />
          </Fact>
          <Fact name={t('redirectUrl')}>
            <Copyable value={redirectUrl} label={t('copyRedirect')} />
          </Fact>
        </Facts>
      )}
      {link && (
        <Anchor component="button" type="button" size="xs" onClick={() => begin.reset()}>
          {t('connectStart')}
        </Anchor>
      )}
    </Stack>
  );
}
