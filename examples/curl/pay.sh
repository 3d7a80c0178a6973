#!/usr/bin/env bash
# Takes a payment over GraphQL with curl alone: creates a session and a charge, follows the charge like the
# customer's page, records the transfer and refunds a part. Set AUTH to sandbox keys (API_KEY:API_SECRET) and
# URL to the service's address.
set -euo pipefail
# Works in a temporary folder, because later steps read the responses of earlier ones.
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT

# graphql KEY QUERY VARIABLES: KEY is the idempotency key.
graphql() {
  curl -sSf -u "$AUTH" "$URL/graphql" -H 'content-type: application/json' -H "Idempotency-Key: $1" \
    -d '{ "query": "'"$(tr '\n' ' ' <<< "$2")"'", "variables": '"$3"' }'
}
# field NAME: prints the value of the member NAME in the JSON on standard input.
field() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p'; }

ORDER="order-$RANDOM$RANDOM"

echo '== Create a session for the order; send the customer to its checkoutUrl'
graphql "$ORDER" 'mutation ($input: CreateSessionInput!) { createSession(input: $input) {
  ... on CreateSessionSuccess { session { checkoutUrl } } ... on UserError { code message }
} }' '{ "input": { "amount": "128.50", "currency": "HKD", "notifyPayload": "'"$ORDER"'" } }' | tee session.json
echo

echo '== Or create a charge without a page: show the customer account and payment reference'
graphql "$ORDER-charge" 'mutation ($input: CreateChargeInput!) { createCharge(input: $input) {
  ... on CreateChargeSuccess { clientToken charge { id destination { account paymentReference qrCode } } } ... on UserError { code message }
} }' '{ "input": { "email": "ada@example.com", "merchantAmount": "128.50", "merchantCurrency": "HKD", "method": "fps" } }' |
  tee charge.json
echo
CHARGE=$(field id < charge.json)

echo '== Follow the charge by server-sent events: the current state, then each change'
curl -sSNf --max-time 60 -H "authorization: Bearer $(field clientToken < charge.json)" -H 'accept: text/event-stream' \
  -H 'content-type: application/json' "$URL/graphql" \
  -d '{ "query": "subscription ($id: ID!) { chargeUpdated(id: $id) { status paymentState } }", "variables": { "id": "'"$CHARGE"'" } }' \
  > live.txt &
LIVE=$!
until grep -q '"status"' live.txt 2> /dev/null; do sleep 0.1; done

echo '== Record the transfer, as a bank feed would'
graphql "$ORDER-money" 'mutation ($input: RecordTransfersInput!) { recordTransfers(input: $input) {
  ... on RecordTransfersSuccess { results { status charge { id } } } ... on UserError { code message }
} }' '{ "input": { "transfers": [{ "bankReference": "'"$ORDER"'", "method": "fps", "account": "'"$(field account < charge.json)"'",
  "amount": "128.50", "currency": "HKD", "reference": "tea '"$(field paymentReference < charge.json)"'",
  "paidAt": "'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'" }] } }'
echo
until grep -q completed live.txt; do sleep 0.1; done
kill "$LIVE" 2> /dev/null || true
grep '^data:' live.txt

echo '== Refund a part; the customer enters payout details at detailsUrl'
graphql "$ORDER-refund" 'mutation ($input: CreateRefundInput!) { createRefund(input: $input) {
  ... on CreateRefundSuccess { refund { id status customerAmount detailsUrl } } ... on UserError { code message }
} }' '{ "input": { "chargeId": "'"$CHARGE"'", "customerAmount": "28.50" } }'
echo
