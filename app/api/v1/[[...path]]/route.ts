export {
  nextApi as DELETE,
  nextApi as GET,
  nextApi as HEAD,
  nextApi as OPTIONS,
  nextApi as PATCH,
  nextApi as POST,
  nextApi as PUT,
} from "#server/http/next-api.ts";
