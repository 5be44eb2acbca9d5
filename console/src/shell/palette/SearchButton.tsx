import { UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import classes from '../Shell.module.css';
import { PALETTE_LABEL } from './keyLabels.ts';

export const SearchButton = ({ onClick }: { onClick: () => void }) => (
  <UnstyledButton className={classes.search} onClick={onClick}>
    <IconSearch size={14} aria-hidden />
    <span style={{ flex: 1 }}>Search</span>
    <span className={classes.keys} aria-hidden>
      {PALETTE_LABEL}
    </span>
  </UnstyledButton>
);
