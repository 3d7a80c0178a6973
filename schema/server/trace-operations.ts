import { type ExecutionArgs, getOperationAST, Kind } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { type SpanOptions, type Tracer, traced } from '../../src/kit/tracer.ts';
import type { GraphqlContext } from '../kit/graphql-context.ts';

/** Callers name their operations as they like: a longer name is cut. */
const nameMax = 100;

/** Each operation is a span, over every transport; of one that goes on sending, until it begins to. */
export function traceOperations(tracer: Tracer): Plugin<object, GraphqlContext> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      const { name, options } = describe(args);
      setExecuteFn((asked: ExecutionArgs) => traced(tracer, name, options, async () => executeFn(asked)));
    },
    onSubscribe({ args, subscribeFn, setSubscribeFn }) {
      const { name, options } = describe(args);
      setSubscribeFn((asked: ExecutionArgs) => traced(tracer, name, options, async () => subscribeFn(asked)));
    },
  };
}

type Asked = Pick<ExecutionArgs, 'document' | 'operationName'>;

function describe({ document, operationName }: Asked): { name: string; options: SpanOptions } {
  const operation = getOperationAST(document, operationName);
  const type = operation?.operation ?? 'query';
  const fields = operation?.selectionSet.selections ?? [];
  const roots = fields.map((field) => (field.kind === Kind.FIELD ? field.name.value : '…')).join(' ');
  const given = operation?.name?.value.slice(0, nameMax);
  return {
    name: given === undefined ? `graphql ${type}` : `graphql ${type} ${given}`,
    options: {
      attributes: {
        'graphql.operation.type': type,
        ...(given !== undefined && { 'graphql.operation.name': given }),
        'causeway.fields': roots.slice(0, nameMax),
      },
    },
  };
}
