import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { integrations } from '../../messages/en/integrations.ts';
import { translator } from '../../messages/translate.ts';

const t = translator('integrations', integrations);

interface LogLinkProps {
  botId: string;
  /** An integration of the workspace. Without one, the log is the bot's. */
  integrationId?: string;
}

export const LogLink = ({ botId, integrationId }: LogLinkProps) => (
  <Anchor
    size="sm"
    renderRoot={props => (
      <Link
        to={`/bots/${botId}/logs` as string}
        search={integrationId ? { integration: integrationId } : {}}
        {...props}
      />
    )}
  >
    {t('openLog')}
  </Anchor>
);
