import { Stack, Text } from '@mantine/core';
import { t } from '../../language/texts.ts';
import classes from './review.module.css';

const keyTexts = [
  ['J', t.review.keyNext],
  ['K', t.review.keyPrevious],
  ['X', t.review.keySelect],
  ['A', t.review.keyAssign],
  ['E', t.transfer.dismiss],
  ['/', t.review.keySearch],
] as const;

/** The keys of the list, for users with a keyboard. */
export function KeyHelp() {
  return (
    <Stack visibleFrom="lg" px="lg" py="sm">
      <Text size="xs" c="var(--causeway-muted)" className={classes.keys}>
        {keyTexts.map(([key, text], i) => (
          <span key={key}>
            {i > 0 && ' · '}
            <kbd>{key}</kbd> {text}
          </span>
        ))}
      </Text>
    </Stack>
  );
}
