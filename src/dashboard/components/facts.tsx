import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

/** A list of names and values. Facts without a value are omitted. */
export function Facts({ facts }: { facts: (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
