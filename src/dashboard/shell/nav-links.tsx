import { NavLink } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import classes from './shell.module.css';

export type NavItem = {
  to: string;
  label: string;
  Icon: () => ReactNode;
  /** The routes, besides `to`, at which the item is active; defaults to all paths below `to`. */
  pattern?: string;
  /** Shows how many objects of the page need a decision. */
  Count?: () => ReactNode;
};

/** A list of navigation links. `labelledBy` is the element ID of the heading. */
export function NavLinks({ items, labelledBy }: { items: readonly NavItem[]; labelledBy?: string }) {
  return (
    <ul className={classes.places} aria-labelledby={labelledBy}>
      {items.map((item) => (
        <li key={item.to}>
          <NavItemLink {...item} />
        </li>
      ))}
    </ul>
  );
}

function NavItemLink({ to, label, Icon, Count, pattern = `${to}/*?` }: NavItem) {
  const [isExactMatch] = useRoute(to);
  const [isPatternMatch] = useRoute(pattern);
  const isActive = isExactMatch || isPatternMatch;
  return (
    <NavLink
      component={Link}
      href={to}
      label={label}
      leftSection={<Icon />}
      rightSection={Count && <Count />}
      active={isActive}
      aria-current={isActive ? 'page' : undefined}
      py={3}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}
