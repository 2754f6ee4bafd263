import type { Metadata } from "next";
import { DeliveryList } from "#components/deliveries/delivery-list.tsx";

export const metadata: Metadata = { title: "Deliveries" };

export default function DeliveriesPage() {
  return <DeliveryList />;
}
