import { CopyButton, Group, UnstyledButton } from '@mantine/core';
import classes from './copy-text.module.css';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** Up to here a text stays on one line. */
const shortMax = 20;

/**
 * A text to carry elsewhere, such as an id or an address: one press copies it, or the `value` it stands for. `what` names
 * it for screen readers.
 */
export function CopyText({ text, value = text, label }: { text: string; value?: string; label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <UnstyledButton
          className={classes.copy}
          onClick={copy}
          aria-label={copied ? `${label} copied` : `Copy ${label}`}
        >
          <Group gap={6} wrap="nowrap" align="center">
            <span className={text.length > shortMax ? classes.text : classes.short}>{text}</span>
            {copied ? <CheckIcon /> : <CopyIcon />}
          </Group>
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
