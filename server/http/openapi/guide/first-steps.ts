import { md, sh } from "./markdown.ts";

/** From nothing to a paid order whose events arrive at an endpoint, with curl. `baseUrl` is that of the deployment. */
export const firstSteps = (baseUrl: string): string =>
  [INTRODUCTION, settings(baseUrl), CART, CHECKOUT, EVENTS, ENDPOINT, REPEAT, PAGES].join("\n\n");

const INTRODUCTION = md`
Posthorn stores events and delivers them to webhook endpoints, signed, with retries, until they are there. Carts and
orders live here too: whatever changes them makes its event in the same transaction.

# First steps

All you need is an API key of your tenant and a shell. Each command says the status that it is answered with.
`;

const settings = (baseUrl: string) => sh`
BASE=${baseUrl}
KEY=ph_live_…     # yours
AUTH="Authorization: Bearer $KEY"
JSON="Content-Type: application/json"
`;

const CART = [
  md`
## Fill a cart

A cart is made with an \`Idempotency-Key\`: repeat the command after a lost answer, and there is still one cart.
`,
  sh`
# 201, with the cart's address in Location
curl -sS -X POST $BASE/carts -H "$AUTH" -H "$JSON" -H "Idempotency-Key: cart-$(date +%s)" \
  -d '{"owner":"cus_42","currency":"EUR"}' | tee cart.json
CART=$(grep -o '"cartId":"[^"]*"' cart.json | cut -d'"' -f4)

# 200: PUT replaces, so a repeat changes nothing
curl -sS -X PUT $BASE/carts/$CART/items/TEA-001 -H "$AUTH" -H "$JSON" \
  -d '{"quantity":2,"unit_price":12.50,"name":"Earl Grey, 100 g"}'

# 200, with the version in ETag
curl -sS -i $BASE/carts/$CART -H "$AUTH"
`,
  md`
A change of the cart itself is a merge patch and names the version that it is meant for. Should the cart have changed
meanwhile, it is refused, and you read again:
`,
  sh`
# 200: the cart was at version 2
curl -sS -X PATCH $BASE/carts/$CART -H "$AUTH" -H 'Content-Type: application/merge-patch+json' \
  -H 'If-Match: "2"' -d '{"metadata":{"channel":"web"}}'

# 412: now it is at version 3, as current_version says
curl -sS -X PATCH $BASE/carts/$CART -H "$AUTH" -H 'Content-Type: application/merge-patch+json' \
  -H 'If-Match: "2"' -d '{"metadata":{"channel":"shop"}}'
`,
].join("\n\n");

const CHECKOUT = [
  "## Check out and pay",
  sh`
# 201: an order made from the cart, whose links say what can be done with it
curl -sS -X POST $BASE/carts/$CART/checkout -H "$AUTH" -H "$JSON" \
  -d '{"shipping_address":"1 High Street, Leeds"}' | tee order.json
ORDER=$(grep -o '"id":[0-9]*' order.json | cut -d: -f2)

# 200: paid
curl -sS -X POST $BASE/orders/$ORDER/payment -H "$AUTH" -H "$JSON" -d '{"method":"card","reference":"ch_123"}'

# 409: it is paid already
curl -sS -X POST $BASE/orders/$ORDER/payment -H "$AUTH" -H "$JSON" -d '{"method":"card","reference":"ch_456"}'

# 200
curl -sS $BASE/orders/$ORDER -H "$AUTH"
`,
].join("\n\n");

const EVENTS = [
  md`
## Read the events

The feed has every event of the tenant, oldest first, numbered without gaps. \`next_cursor\` is always there: keep it,
and go on behind it. With \`wait\` the answer comes as soon as there is something new.
`,
  sh`
# 200: CartCreated, CartItemUpdated, …, PaymentCaptured
curl -sS "$BASE/events?limit=100" -H "$AUTH" | tee events.json
CURSOR=$(grep -o '"next_cursor":"[^"]*"' events.json | cut -d'"' -f4)

# 201: an event of your own
curl -sS -X POST $BASE/events -H "$AUTH" -H "$JSON" -d '{"type":"invoice.paid","data":{"invoice":"inv_7","amount":12.50}}'

# 200: what has come since
curl -sS "$BASE/events?after=$CURSOR&wait=5" -H "$AUTH"
`,
].join("\n\n");

const ENDPOINT = [
  md`
## Have them delivered

Register an https URL of yours. The answer has the signing secret, this once. From then on each event of its types is
delivered to it; a test event shows whether it arrives.
`,
  sh`
# 201
curl -sS -X POST $BASE/webhook-endpoints -H "$AUTH" -H "$JSON" \
  -d '{"url":"https://example.com/webhooks/provider","event_types":["Order*","PaymentCaptured","invoice.paid"]}' | tee endpoint.json
ENDPOINT=$(grep -o '"id":"whe_[^"]*"' endpoint.json | cut -d'"' -f4)

# 202: a delivery under way
curl -sS -X POST $BASE/webhook-endpoints/$ENDPOINT/test-events -H "$AUTH" | tee delivery.json
DELIVERY=$(grep -o '"id":"dlv_[^"]*"' delivery.json | cut -d'"' -f4)

# 200: its attempts, as they were sent and answered
curl -sS $BASE/deliveries/$DELIVERY/attempts -H "$AUTH"

# 200: what could not be delivered
curl -sS "$BASE/deliveries?status=failed&limit=10" -H "$AUTH"
`,
].join("\n\n");

const REPEAT = [
  "## Repeat without harm",
  sh`
# 201
curl -sS -i -X POST $BASE/orders -H "$AUTH" -H "$JSON" -H "Idempotency-Key: order-$ORDER" \
  -d '{"CustomerId":"cus_42","Total":49.90,"Currency":"EUR"}'

# 201: the same answer again, and Idempotent-Replayed: true
curl -sS -i -X POST $BASE/orders -H "$AUTH" -H "$JSON" -H "Idempotency-Key: order-$ORDER" \
  -d '{"CustomerId":"cus_42","Total":49.90,"Currency":"EUR"}'

# 422: the key stands for another order
curl -sS -X POST $BASE/orders -H "$AUTH" -H "$JSON" -H "Idempotency-Key: order-$ORDER" \
  -d '{"CustomerId":"cus_42","Total":1,"Currency":"EUR"}'

# 422: errors points at #/Currency
curl -sS -X POST $BASE/orders -H "$AUTH" -H "$JSON" -d '{"CustomerId":"cus_42","Total":1,"Currency":"euro"}'
`,
].join("\n\n");

const PAGES = [
  "## Page through a list",
  sh`
# 200: the newest order, and Link: rel="next"
curl -sS -i "$BASE/orders?limit=1&CustomerId=cus_42" -H "$AUTH" | tee orders.txt
NEXT=$(grep -o '"next_cursor":"[^"]*"' orders.txt | cut -d'"' -f4)

# 200: those after it
curl -sS "$BASE/orders?limit=1&CustomerId=cus_42&after=$NEXT" -H "$AUTH"

# 400: a cursor is good for its own query alone
curl -sS "$BASE/orders?limit=1&CustomerId=cus_43&after=$NEXT" -H "$AUTH"

# 304: nothing new under this version
curl -sS -i $BASE/orders/$ORDER -H "$AUTH" -H 'If-None-Match: "2"'
`,
].join("\n\n");
