import { CopyButton, Group, UnstyledButton } from '@mantine/core';
import { t } from '../language/texts.ts';
import classes from './copy-text.module.css';
import { CheckIcon, CopyIcon } from './icons.tsx';

/** Texts up to this length stay on one line. */
const shortLengthMax = 20;

/** `label` is the accessible name of the button, such as “Copy ID”. */
export function CopyText({ text, value = text, label }: { text: string; value?: string; label: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <UnstyledButton className={classes.copy} onClick={copy} aria-label={copied ? t.common.copied : label}>
          <Group gap={6} wrap="nowrap" align="center">
            <span className={text.length > shortLengthMax ? classes.text : classes.short}>{text}</span>
            {copied ? <CheckIcon /> : <CopyIcon />}
          </Group>
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
