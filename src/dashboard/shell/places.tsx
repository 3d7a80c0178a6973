import { NavLink } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import classes from './shell.module.css';

export type Place = {
  to: string;
  label: string;
  Icon: () => ReactNode;
  /** The addresses at which one is there, where those are not `to` and all beneath it. */
  pattern?: string;
};

/** Ways to pages, by the id of the heading that names them. */
export function Places({ places, labelledBy }: { places: readonly Place[]; labelledBy?: string }) {
  return (
    <ul className={classes.places} aria-labelledby={labelledBy}>
      {places.map((place) => (
        <li key={place.to}>
          <PlaceLink {...place} />
        </li>
      ))}
    </ul>
  );
}

function PlaceLink({ to, label, Icon, pattern = `${to}/*?` }: Place) {
  const [isAt] = useRoute(to);
  const [isUnder] = useRoute(pattern);
  const isHere = isAt || isUnder;
  return (
    <NavLink
      component={Link}
      href={to}
      label={label}
      leftSection={<Icon />}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      py={5}
      style={{ borderRadius: 'var(--mantine-radius-md)' }}
    />
  );
}
