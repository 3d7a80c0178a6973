import { Anchor, type AnchorProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'wouter';

export function Link({ to, children, ...props }: AnchorProps & { to: string; children: ReactNode }) {
  return (
    <Anchor component={RouterLink} href={to} inherit={props.size === undefined} {...props}>
      {children}
    </Anchor>
  );
}
