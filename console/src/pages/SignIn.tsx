import { Anchor, Button, Code, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { isUnauthorised } from '../api/explain.ts';
import { CallError } from '../api/parley.ts';
import { signIn, startSingleSignOn } from '../api/signIn.ts';
import { useAction } from '../api/useAction.ts';
import { session } from '../messages/en/session.ts';
import { translator } from '../messages/translate.ts';
import { Entrance } from '../parts/Entrance.tsx';
import { usePageTitle } from '../parts/pageTitle.ts';
import { hasSessionExpired, isToken } from '../session/session.ts';
import { workspaceToSignIn } from '../session/singleSignOn.ts';
import { PasteInvitation } from './PasteInvitation.tsx';

const t = translator('session', session);

const TOKEN_START = 'bp_pat_';

const WAYS = ['token', 'singleSignOn', 'invitation'] as const;
type Way = (typeof WAYS)[number];
const LINKS = { token: 'useToken', singleSignOn: 'useSingleSignOn', invitation: 'haveInvitation' } as const;

export function SignIn() {
  const [way, setWay] = useState<Way>(() => (workspaceToSignIn() === '' ? 'token' : 'singleSignOn'));
  usePageTitle(t('signIn'));
  return (
    <Entrance
      title={t(way === 'invitation' ? 'acceptInvitation' : 'signInTo')}
      foot={
        <Group gap="md">
          {WAYS.filter(each => each !== way).map(each => (
            <Anchor key={each} component="button" type="button" size="sm" onClick={() => setWay(each)}>
              {t(LINKS[each])}
            </Anchor>
          ))}
        </Group>
      }
    >
      {way === 'token' && <TokenForm />}
      {way === 'singleSignOn' && <SingleSignOnForm />}
      {way === 'invitation' && <PasteInvitation />}
    </Entrance>
  );
}

function SingleSignOnForm() {
  const [workspace, setWorkspace] = useState(workspaceToSignIn);
  const [fault, setFault] = useState('');
  const start = useAction(startSingleSignOn, {
    showError: error => {
      const isUnknown = error instanceof CallError && error.code === 404;
      if (isUnknown) setFault(t('noSingleSignOn'));
      return isUnknown;
    },
  });
  const { reset } = start;
  useEffect(() => {
    // "Back" at the provider restores the page as it was left.
    const restore = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener('pageshow', restore);
    return () => removeEventListener('pageshow', restore);
  }, [reset]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFault('');
    start.mutate(workspace.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {hasSessionExpired() && <Expired />}
        <TextInput
          label={t('workspaceHandle')}
          description={t('workspaceHandleAbout')}
          value={workspace}
          onChange={event => setWorkspace(event.currentTarget.value)}
          error={fault}
          maxLength={100}
          autoComplete="organization"
          autoCapitalize="none"
          required
          withAsterisk={false}
        />
        {/* Stays busy while the browser leaves the page. */}
        <Button type="submit" fullWidth loading={start.isPending || start.isSuccess}>
          {t('continueToProvider')}
        </Button>
      </Stack>
    </form>
  );
}

const Expired = () => (
  <Text size="sm" role="status">
    {t('hasExpired')}
  </Text>
);

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
        {hasSessionExpired() && <Expired />}
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
