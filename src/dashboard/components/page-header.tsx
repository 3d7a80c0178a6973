import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTitle } from './use-title.ts';

/**
 * The head of a page. Its title takes the focus when the page opens, so that a screen reader says where one is and the
 * next Tab goes on from there. The badge, which says the status, is read out when it changes.
 */
export function PageHeader(props: {
  title: string;
  /** What it is, where the title alone does not tell one browser's tab from another. */
  noun?: string;
  badge?: ReactNode;
  text?: ReactNode;
  children?: ReactNode;
}) {
  const { title, noun, badge, text, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(noun === undefined ? title : `${noun} ${title}`);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="sm">
      <Stack gap={4}>
        <Group gap="sm">
          <Title order={1} size="h2" ref={heading} tabIndex={-1}>
            {title}
          </Title>
          {badge !== undefined && (
            <Group gap="sm" role="status">
              {badge}
            </Group>
          )}
        </Group>
        {text !== undefined && (
          <Text c="var(--causeway-muted)" size="sm" component="div">
            {text}
          </Text>
        )}
      </Stack>
      {children !== undefined && <Group gap="sm">{children}</Group>}
    </Group>
  );
}
