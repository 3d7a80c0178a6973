import { Group, Text } from '@mantine/core';
import { t } from '../language/texts.ts';

export function Logo() {
  return (
    <Group gap="xs" wrap="nowrap">
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#0e6b5c" />
        <path
          d="M5 21h22M7 21c0-7 8-7 8 0M17 21c0-7 8-7 8 0"
          fill="none"
          stroke="#fff"
          strokeWidth="2.4"
          strokeLinecap="round"
        />
      </svg>
      <Text fw={650} size="lg">
        {t.shell.causeway}
      </Text>
    </Group>
  );
}
