import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Remedy } from '../graphql/errors.ts';
import { Link } from './link.tsx';
import { showError } from './show-error.ts';

/**
 * Shows an error message, or nothing if there is none. A new message is scrolled into view and takes the focus,
 * because the button that caused it may be far away. Errors of background requests must not take the focus.
 */
export function ErrorAlert(props: {
  text: string | undefined;
  remedy?: Remedy | undefined;
  takesFocus?: boolean;
}) {
  const { text, remedy, takesFocus = true } = props;
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (text !== undefined && takesFocus && alert.current) showError(alert.current);
  }, [text, takesFocus]);
  if (text === undefined) return null;
  return (
    <Alert color="red" variant="light" role="alert" tabIndex={-1} ref={alert}>
      {text}
      {remedy && (
        <>
          {' '}
          <Link to={remedy.to}>{remedy.label}</Link>
        </>
      )}
    </Alert>
  );
}
