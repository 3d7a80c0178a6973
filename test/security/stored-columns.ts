import type { Service } from '../../src/domain/platform/service.ts';

/** The database's columns of text, by who writes them. */

/** SQL of the value that a text `$1` makes of a column. */
const text = '$1';
const orders = `jsonb_build_array(jsonb_build_object('id', $1, 'name', $1, 'quantity', 2, 'amount', '5', 'amountMinor', '500'))`;
const people = `jsonb_build_object('firstName', $1, 'lastName', $1, 'email', 'ada@example.com')`;

/** What merchants, customers, banks and other servers write: any text, past the checks of input. */
export const writable: Record<string, string> = {
  'merchant.name': text,
  'merchant.postal_address': text,
  'merchant.access_decline_reason': text,
  'merchant_user.name': text,
  'user_session.user_agent': text,
  'api_key.name': text,
  'webhook.username': text,
  'webhook.disabled_reason': text,
  'receiving_account.account': text,
  'receiving_account.bank': text,
  'receiving_account.holder': text,
  'checkout_link.notify_payload': text,
  'checkout_link.orders': orders,
  'checkout_link.customer': people,
  'checkout_session.notify_payload': text,
  'checkout_session.orders': orders,
  'checkout_session.customer': people,
  'charge.first_name': text,
  'charge.last_name': text,
  'charge.notify_payload': text,
  'charge.orders': orders,
  'charge.destination': `destination || jsonb_build_object('account', $1, 'accountName', $1, 'bank', $1)`,
  'charge.rate_source': text,
  'subscription_plan.name': text,
  'subscription_plan.orders': orders,
  'subscription_link.notify_payload': text,
  'subscription_link.customer': people,
  'subscription.first_name': text,
  'subscription.last_name': text,
  'subscription.notify_payload': text,
  'invoice.merchant_name': text,
  'invoice.merchant_address': text,
  'invoice.plan_name': text,
  'invoice.orders': orders,
  'refund.reopen_reason': text,
  'refund_payout.reference': text,
  'export.error_reason': text,
  'transfer.bank_reference': text,
  'transfer.batch_reference': text,
  'transfer.reference': text,
  'transfer.payer_name': text,
  'allocation.note': text,
  'statement.file_name': text,
  'statement.error_reason': text,
  'upload.file_name': text,
  'notification_attempt.error': text,
  'notification_attempt.response_body': text,
  'alert.detail': text,
  'message.subject': text,
  'message.last_error': text,
};

/** What the service writes, or checks to the letter: ids, codes, hashes, addresses, names from lists, its own JSON. */
export const ours: RegExp[] = [
  /\.(?:id|\w+_id|mode|status|currency|\w+_currency|method|methods|language|kind|format|version|time_zone|recipient_limit_key|merchant_limit_key)$/,
  /\.(?:\w*hash|\w+_encrypted|wrapped_key|wrapped_by|\w*fingerprint|dedupe_key|key|payment_reference|permissions|event_types?|type|base|source|queue_key)$/,
  /\.(?:actor|created_by|imported_by|updated_by|invited_by|completed_by|set_by|leased_by|action|reason)$/,
  /\.(?:email|phone|recipient|address|ip_address|url|\w+_url|allowed_origins|redirect_schemes|phone_countries|disabled_operations)$/,
  /^(?:certificate\.public_key|upload\.sha256|statement\.(?:mapping|result_counts)|statement_mapping\.mapping|export\.options)$/,
  /^(?:export\.file_name|audit_entry\.detail|event\.(?:payload|object_id)|receiving_account\.details|retention_watermark\.name)$/,
  /^(?:checkout_link\.payment_methods|merchant\.payment_windows|refund\.(?:payout_reference|previous_payout_references))$/,
  /^(?:transfer\.file_kind|authentication_attempt\.\w+|job_\w+\.\w+|causeway_\w+\.\w+|webhook\.\w*secret\w*)$/,
];

/** Writes a text into all of them, past triggers. Throws where a column cannot hold it, or has no row. */
export async function makeWritable(service: Service, value: string): Promise<void> {
  const client = await service.pool.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    for (const [name, sql] of Object.entries(writable)) {
      const [table, column] = name.split('.');
      const update = `UPDATE "${table}" SET "${column}" = ${sql.replaceAll('$1', '$1::text')}`;
      const { rowCount } = await client.query(update, [value]).catch((cause) => {
        throw new Error(name, { cause });
      });
      if (rowCount === 0) throw new Error(`${name} has no row`);
    }
  } finally {
    await client.query("SET session_replication_role = 'origin'");
    client.release();
  }
}
