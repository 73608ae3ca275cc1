from hypothesis import assume, given
from hypothesis import strategies as st
from shop.stock import is_delivery, shelve


@given(st.lists(st.integers(0, 30), max_size=12))
def test_no_parcel_is_lost(parcels: list[int]):
    assume(is_delivery(parcels))
    assert [parcel for shelf in shelve(parcels) for parcel in shelf] == parcels
