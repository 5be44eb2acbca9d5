import { UnstyledButton } from '@mantine/core';
import { IconSearch } from '../../icons/tabler.ts';
import { shell } from '../../messages/en/shell.ts';
import { translator } from '../../messages/translate.ts';
import classes from '../Shell.module.css';
import { PALETTE_LABEL } from './keyLabels.ts';

const t = translator('shell', shell);

export const SearchButton = ({ onClick }: { onClick: () => void }) => (
  <UnstyledButton className={classes.search} onClick={onClick}>
    <IconSearch size={14} aria-hidden />
    <span style={{ flex: 1 }}>{t('search')}</span>
    <span className={classes.keys} aria-hidden>
      {PALETTE_LABEL}
    </span>
  </UnstyledButton>
);
