from shop.prices import Customer, discount, parse_price


def test_prices_as_people_write_them():
    assert parse_price("EUR 3.5") == 350


def test_staff_pay_half():
    assert discount(Customer.STAFF, 1000) == 500
