import { CopyButton, Group, UnstyledButton } from '@mantine/core';
import classes from './copy-text.module.css';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** A text to carry elsewhere, such as an id or an address: one press copies it. `what` names it for screen readers. */
export function CopyText({ text, what }: { text: string; what: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <UnstyledButton
          className={classes.copy}
          onClick={copy}
          aria-label={copied ? `${what} copied` : `Copy ${what}`}
        >
          <Group gap={6} wrap="nowrap" align="center">
            <span className={classes.text}>{text}</span>
            {copied ? <CheckIcon /> : <CopyIcon />}
          </Group>
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
