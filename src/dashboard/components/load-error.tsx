import { Alert, Button, Stack, Text } from '@mantine/core';
import type { CombinedError } from 'urql';
import { formatError } from '../graphql/errors.ts';
import { t } from '../language/texts.ts';

export function LoadError({ error, onRetry }: { error: CombinedError; onRetry: () => void }) {
  // Trying again does not help users without the permission.
  const isDenied = error.graphQLErrors.some(({ extensions }) => extensions.code === 'permission_denied');
  return (
    <Alert color="red" role="alert" title={t.components.failedToLoad} variant="light">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{formatError(error)}</Text>
        {!isDenied && (
          <Button size="xs" variant="default" onClick={onRetry}>
            {t.components.tryAgain}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}
