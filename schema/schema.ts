import type { GraphQLSchema } from 'graphql';
import './allocation.ts';
import './charge.ts';
import './charge-mutations.ts';
import './charge-queries.ts';
import './checkout-link.ts';
import './collected.ts';
import './customer.ts';
import './errors.ts';
import './event.ts';
import './forex.ts';
import './merchant.ts';
import './node.ts';
import './notification.ts';
import './order.ts';
import './payment-method.ts';
import './receiving-account.ts';
import './refund.ts';
import './scalars.ts';
import './session.ts';
import './transfer.ts';
import './transfer-mutations.ts';
import './user.ts';
import './webhook.ts';
import { builder } from './builder.ts';

/** The whole schema; each file above adds its noun to the builder. */
export const schema: GraphQLSchema = builder.toSchema();
