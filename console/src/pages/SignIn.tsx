import { Anchor, Button, Code, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { session } from '../messages/en/session.ts';
import { translator } from '../messages/translate.ts';
import { Entrance } from '../parts/Entrance.tsx';
import { usePageTitle } from '../parts/Page.tsx';
import { isToken, signIn } from '../session/session.ts';

const t = translator('session', session);
const AcceptInvitation = lazy(() => import('./AcceptInvitation.tsx'));

const TOKEN_START = 'bp_pat_';

export function SignIn() {
  const [hasInvitation, setHasInvitation] = useState(false);
  usePageTitle(t('signIn'));
  return (
    <Entrance
      title={t(hasInvitation ? 'acceptInvitation' : 'signInTo')}
      foot={
        <Anchor component="button" type="button" size="sm" onClick={() => setHasInvitation(!hasInvitation)}>
          {t(hasInvitation ? 'haveToken' : 'haveInvitation')}
        </Anchor>
      }
    >
      {hasInvitation ? (
        <Suspense>
          <AcceptInvitation />
        </Suspense>
      ) : (
        <TokenForm />
      )}
    </Entrance>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const [fault, setFault] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isToken(token.trim())) signIn(token.trim());
    else setFault(t('noToken', { start: TOKEN_START }));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <PasswordInput
          label={t('token')}
          placeholder={`${TOKEN_START}…`}
          value={token}
          onChange={event => setToken(event.currentTarget.value)}
          error={fault}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': t('showToken') }}
          required
          withAsterisk={false}
        />
        <Button type="submit" fullWidth>
          {t('signIn')}
        </Button>
        <Text size="xs" c="dimmed">
          {t.rich('tokenStays', { command: <Code>npm run console</Code> })}
        </Text>
      </Stack>
    </form>
  );
}
