import { Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTitle } from './use-title.ts';

/**
 * The header of a page. Its title takes the focus when the page opens, so that screen readers announce the
 * page and Tab continues from the title. Changes of the badge are announced as well.
 */
export function PageHeader(props: {
  title: string;
  /** The kind of object, if the title alone does not distinguish browser tabs. */
  objectType?: string;
  badge?: ReactNode;
  text?: ReactNode;
  children?: ReactNode;
}) {
  const { title, objectType, badge, text, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(objectType === undefined ? title : `${objectType} ${title}`);
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
