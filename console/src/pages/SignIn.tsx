import { Anchor, Button, Code, PasswordInput, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { isUnauthorised } from '../api/explain.ts';
import { signIn } from '../api/signIn.ts';
import { useAction } from '../api/useAction.ts';
import { session } from '../messages/en/session.ts';
import { translator } from '../messages/translate.ts';
import { Entrance } from '../parts/Entrance.tsx';
import { usePageTitle } from '../parts/pageTitle.ts';
import { hasSessionExpired, isToken } from '../session/session.ts';
import { PasteInvitation } from './PasteInvitation.tsx';

const t = translator('session', session);

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
      {hasInvitation ? <PasteInvitation /> : <TokenForm />}
    </Entrance>
  );
}

function TokenForm() {
  const [token, setToken] = useState('');
  const [fault, setFault] = useState('');
  const enter = useAction(signIn, {
    showError: error => {
      if (isUnauthorised(error)) setFault(t('refusedToken'));
      return isUnauthorised(error);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFault('');
    if (isToken(token.trim())) enter.mutate(token.trim());
    else setFault(t('noToken', { start: TOKEN_START }));
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {hasSessionExpired() && (
          <Text size="sm" role="status">
            {t('hasExpired')}
          </Text>
        )}
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
        <Button type="submit" fullWidth loading={enter.isPending}>
          {t('signIn')}
        </Button>
        <Text size="xs" c="dimmed">
          {t.rich('tokenStays', { command: <Code>npm run console</Code> })}
        </Text>
      </Stack>
    </form>
  );
}
